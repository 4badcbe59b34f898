# qe_silicon.awk - writes a local pseudopotential of silicon for Quantum ESPRESSO: that of Appelbaum and Hamann (1973)
# SPDX-License-Identifier: Apache-2.0
#
# V(r) = -2 Z erf(sqrt(a) r) / r + 2 (v1 + v2 r^2) exp(-a r^2) in Rydberg,
# Z = 4, v1 = 3.042, v2 = -1.372, a = 0.6102. The program divides by this atom's charge where it starts, and nothing else
# depends on its shape: a Gauss curve.

function error_function(x,    n, term, sum) {
	term = sum = x
	for (n = 1; n < 200 && term > sum * 1e-17; n++) {
		term *= 2 * x * x / (2 * n + 1)
		sum += term
	}
	return 2 / sqrt(pi) * exp(-x * x) * sum
}

function potential(r,    screening) {
	screening = r < 8 ? error_function(sqrt(alpha) * r) : 1
	return -2 * charge * screening / r + 2 * (3.042 - 1.372 * r * r) * exp(-alpha * r * r)
}

# array TAG: the values that are in data, four a line.
function array(tag,    i) {
	print "<" tag ">"
	for (i = 1; i <= mesh; i++)
		printf "%.15e%s", data[i], i % 4 && i < mesh ? " " : "\n"
	print "</" tag ">"
}

BEGIN {
	pi = atan2(0, -1)
	charge = 4
	alpha = 0.6102
	mesh = 801
	step = 0.0125
	for (i = 1; i <= mesh; i++)
		r[i] = exp(-7 + (i - 1) * step)
	print "<UPF version=\"2.0.1\">"
	print "<PP_INFO>\n</PP_INFO>"
	print "<PP_HEADER generated=\"\" author=\"\" date=\"\" comment=\"\" element=\"Si\" pseudo_type=\"NC\""
	print "relativistic=\"no\" is_ultrasoft=\"false\" is_paw=\"false\" is_coulomb=\"false\" has_so=\"false\""
	print "has_wfc=\"false\" has_gipaw=\"false\" paw_as_gipaw=\"false\" core_correction=\"false\" functional=\"PZ\""
	print "z_valence=\"" charge "\" total_psenergy=\"0\" wfc_cutoff=\"0\" rho_cutoff=\"0\" l_max=\"0\" l_max_rho=\"0\""
	print "l_local=\"0\" mesh_size=\"" mesh "\" number_of_wfc=\"0\" number_of_proj=\"0\"/>"
	print "<PP_MESH dx=\"" step "\" mesh=\"" mesh "\" xmin=\"-7\" rmax=\"" r[mesh] "\" zmesh=\"1\">"
	for (i = 1; i <= mesh; i++)
		data[i] = r[i]
	array("PP_R")
	for (i = 1; i <= mesh; i++)
		data[i] = r[i] * step
	array("PP_RAB")
	print "</PP_MESH>"
	for (i = 1; i <= mesh; i++)
		data[i] = potential(r[i])
	array("PP_LOCAL")
	print "<PP_NONLOCAL>\n</PP_NONLOCAL>"
	print "<PP_PSWFC>\n</PP_PSWFC>"
	for (i = 1; i <= mesh; i++)
		data[i] = 4 * pi * r[i] ^ 2 * charge * (0.4 / pi) ^ 1.5 * exp(-0.4 * r[i] ^ 2)
	array("PP_RHOATOM")
	print "</UPF>"
}
