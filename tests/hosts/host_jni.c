/* host_jni.c - the native method of Host.java */
/* SPDX-License-Identifier: Apache-2.0 */
#include <jni.h>

#include "tests/hostile/hostile_work.h"

JNIEXPORT jint JNICALL Java_Host_work(JNIEnv *environment, jclass class, jint n)
{
	(void)environment;
	(void)class;
	return work_dgemm(n) + work_cblas(n);
}
