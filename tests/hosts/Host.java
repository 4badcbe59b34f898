// Host.java - a Java program that calls BLAS by JNI in several threads, beside null pointer checks
// SPDX-License-Identifier: Apache-2.0
public class Host {
	private static native int work(int n);

	private static int length(String text) {
		try {
			return text.length();
		} catch (NullPointerException expected) {
			return -1;
		}
	}

	private static void run() {
		int wrong = 0, nulls = 0;
		for (int i = 1; i < 40; i++) {
			wrong += work(i);
			nulls += length(i % 2 == 0 ? null : "text");
		}
		synchronized (Host.class) {
			System.out.println(wrong + " wrong, " + nulls);
		}
	}

	public static void main(String[] arguments) throws InterruptedException {
		System.load(arguments[0]);
		Thread[] threads = new Thread[4];
		for (int i = 0; i < threads.length; i++)
			(threads[i] = new Thread(Host::run)).start();
		for (Thread thread : threads)
			thread.join();
		run();
	}
}
