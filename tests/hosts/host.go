// host.go - a Go program that calls BLAS by cgo in several goroutines, beside recovered faults
// SPDX-License-Identifier: Apache-2.0
package main

// int work_dgemm(int n);
// int work_cblas(int n);
import "C"

import (
	"fmt"
	"runtime"
	"sync"
)

// length of what is pointed to, -1 for nil: the runtime turns the fault into a panic.
func length(text *string) (value int) {
	defer func() {
		if recover() != nil {
			value = -1
		}
	}()
	return len(*text)
}

func run() (wrong, faults int) {
	text := "text"
	for i := 1; i < 40; i++ {
		wrong += int(C.work_dgemm(C.int(i)) + C.work_cblas(C.int(i)))
		if i%2 == 0 && length(nil) == -1 {
			faults++
		}
		if length(&text) != 4 {
			wrong++
		}
		if i%8 == 0 {
			runtime.GC()
		}
	}
	return
}

func main() {
	var group sync.WaitGroup
	for i := 0; i < 4; i++ {
		group.Add(1)
		go func() {
			defer group.Done()
			wrong, faults := run()
			fmt.Println(wrong, "wrong,", faults, "faults")
		}()
	}
	group.Wait()
	// The main goroutine on the main thread.
	runtime.LockOSThread()
	wrong, faults := run()
	fmt.Println(wrong, "wrong,", faults, "faults")
}
