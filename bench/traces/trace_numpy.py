# trace_numpy.py - typical work with NumPy: training a network, kernels, decompositions
# SPDX-License-Identifier: Apache-2.0
import numpy

numbers = numpy.random.RandomState(1)


def train(steps, batch, inputs, hidden, outputs):
    """A network of two layers in single precision, forward and backward."""
    x = numbers.standard_normal((batch, inputs)).astype("f4")
    y = numbers.standard_normal((batch, outputs)).astype("f4")
    one = numbers.standard_normal((inputs, hidden)).astype("f4") / 30
    two = numbers.standard_normal((hidden, outputs)).astype("f4") / 30
    for _ in range(steps):
        middle = numpy.maximum(x @ one, 0)
        error = middle @ two - y
        back = (error @ two.T) * (middle > 0)
        two -= 1e-6 * (middle.T @ error)
        one -= 1e-6 * (x.T @ back)


def kernel(points, features):
    """A kernel matrix and its largest eigenvectors."""
    x = numbers.standard_normal((points, features))
    gram = numpy.exp(-0.01 * (x @ x.T))
    values, vectors = numpy.linalg.eigh(gram)
    return x.T @ vectors[:, -100:]


def many_small(count, n):
    a = numbers.standard_normal((n, n)) / n
    for _ in range(count):
        a = numpy.dot(a, a) + 0.1


def subspace(n, width, steps):
    """Randomised singular vectors: thin products and their QR."""
    a = numbers.standard_normal((n, n))
    q = numbers.standard_normal((n, width))
    for _ in range(steps):
        q, _ = numpy.linalg.qr(a @ q)
        q, _ = numpy.linalg.qr(a.T @ q)
    return q


train(40, 2048, 784, 1024, 10)
many_small(3000, 24)
kernel(1500, 200)
subspace(2500, 120, 6)
u, s, v = numpy.linalg.svd(numbers.standard_normal((900, 600)), full_matrices=False)
solution = numpy.linalg.solve(numbers.standard_normal((1800, 1800)),
                              numbers.standard_normal((1800, 1800)))
c = numbers.standard_normal((1200, 1200)) + 1j * numbers.standard_normal((1200, 1200))
for _ in range(4):
    c = c.dot(c) / numpy.abs(c).max()
d = numbers.standard_normal((2600, 2600)) / 50
for _ in range(3):
    d = numpy.dot(d, d)
many_small(1000, 150)
print("numpy:", c.shape, d.shape)
