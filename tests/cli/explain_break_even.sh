# explain_break_even.sh - the formula with the textbook's machine, the table, the plot and its size
# SPDX-License-Identifier: Apache-2.0
cat >textbook.conf <<'END'
name = "the textbook's: link 15 GB/s, GPU 1,000 and CPU 1 Gop/s"
cpu_threads = 1
link_up_bytes = 15e9
link_down_bytes = 15e9
call_fixed_ns = 1
operation_ns = 1
cpu_memory_bytes = 1e15
gpu_memory_bytes = 1e15
gpu_fft_floor_1d_ns = 1
gpu_fft_floor_2d_ns = 1
gpu_fft_floor_3d_ns = 1
gpu_trsm_row_ns = 1e-3
cpu_gemm_flops_d = 1e9
gpu_gemm_flops_d = 1000e9
cpu_fft_flops_z = 1e9
gpu_fft_flops_z = 1000e9
END
"$GPUSHIM" explain --break-even --profile textbook.conf >report || exit
"$GPUSHIM" explain --break-even --profile textbook.conf --json >report.json || exit
sed -n '1,/^routine/p' report
grep -E '^(dgemm|zgemm|zhemm|dtrsm|dgemm_batch|fftw_c2c|fftw_r2c) ' report |
	sed -E 's/([0-9]) ([num]?s)\b/\1_\2/g'
grep -o '"break_even_flops_per_byte":0.0667' report.json
# As many rows as the table has lines, each once.
grep -o '"routine":"[a-z0-9_]*","shape":"[^"]*"' report.json | sort | uniq | wc -l
sed -n '/^routine/,/^$/p' report | grep -c '^[a-z].*[0-9a-z]$'
sed -n '/^speedup of/,$p' report
awk 'length > 80 { print "wider than 80 columns: " $0 } { all++ } /^speedup of/ { from = all }
	END { print all - from + 1 <= 24 ? "the plot fits 24 lines" : "the plot is too high" }
' report
# A CPU that is faster for every size.
sed 's/^cpu_\(.*flops.*\) = .*/cpu_\1 = 1e15/' textbook.conf >slow.conf
"$GPUSHIM" explain --break-even --profile slow.conf | grep -E '^(\(1 / link|dgemm |fftw_c2c )'
