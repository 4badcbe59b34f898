# everyday_numpy.py - one everyday call of numpy.linalg or scipy.linalg, and what it gives
# SPDX-License-Identifier: Apache-2.0
"""everyday_numpy.py numpy|scipy [CALL]: without CALL the names of the calls. A line is `label
numbers...`. Signs and bases of vectors are a library's choice, so residuals are judged here, and
values printed."""
import sys

import numpy as np

N = 60
i, j = np.meshgrid(np.arange(1.0, N + 1), np.arange(1.0, N + 1))
A = np.sin(i * j * 0.37 + i) + N / 4 * np.eye(N)
S = A + A.T
P = A @ A.T / N + np.eye(N)
B = np.cos(i + 2 * j)[:, :4].copy()
T = np.vstack([A, np.sin(2.0 * i - j)])
EPS = np.finfo(float).eps


def small(label, residual, *factors):
    """The 1-norm of a residual in units of n eps times the factors' norms."""
    scale = np.prod([np.linalg.norm(f, 1) for f in factors])
    ratio = np.linalg.norm(residual, 1) / (N * EPS * scale)
    print(label, 'within bounds' if ratio < 30 else f'has a ratio of {ratio:g}')


def show(label, x):
    x = np.asarray(x)
    x = np.concatenate([x.real.ravel(), x.imag.ravel()])[:200] + 0.0
    print(label, ' '.join(f'{v:.8e}' for v in x))


def qr(linalg):
    q, r = linalg.qr(A)
    small('qr', A - q @ r, A)
    small('qr, orthogonal', np.eye(N) - q.T @ q)
    show('qr', abs(np.diag(r)))


def eigh(linalg):
    w, z = linalg.eigh(S)
    small('eigh', S @ z - z * w, S)
    small('eigh, orthogonal', np.eye(N) - z.T @ z)
    show('eigh', w)


def svd(linalg):
    u, s, vt = linalg.svd(T, full_matrices=False)
    small('svd', T - u * s @ vt, T)
    show('svd', s)


def eig(linalg):
    w, v = linalg.eig(A)
    small('eig', A @ v - v * w, A, v)
    show('eig', np.sort_complex(np.round(w, 6)))


def lstsq(linalg):
    # NumPy warns without its third argument; SciPy's is another.
    show('lstsq', linalg.lstsq(T, np.vstack([B, B]), *([None] if linalg is np.linalg else []))[0])


def lu_factor(linalg):
    show('lu_factor', abs(np.diag(linalg.lu_factor(A)[0])))


def cho_solve(linalg):
    show('cho_solve', linalg.cho_solve(linalg.cho_factor(P), B))


CALLS = {
    'solve': lambda linalg: show('solve', linalg.solve(A, B)),
    'inv': lambda linalg: show('inv', linalg.inv(A)),
    'det': lambda linalg: show('det', linalg.det(A / N * 4)),
    'cholesky': lambda linalg: show('cholesky', linalg.cholesky(P)),
    'qr': qr,
    'eig': eig,
    'eigh': eigh,
    'eigvalsh': lambda linalg: show('eigvalsh', linalg.eigvalsh(S)),
    'svd': svd,
    'lstsq': lstsq,
    'pinv': lambda linalg: show('pinv', linalg.pinv(T)),
}
NUMPY = {'cond': lambda linalg: show('cond', linalg.cond(A))}
SCIPY = {
    'expm': lambda linalg: show('expm', linalg.expm(A / N)),
    'lu_factor': lu_factor,
    'cho_solve': cho_solve,
    'eigh of a pair': lambda linalg: show('eigh of a pair', linalg.eigh(S, P)[0]),
}


def main():
    if sys.argv[1] == 'numpy':
        linalg, calls = np.linalg, CALLS | NUMPY
    else:
        import scipy.linalg as linalg
        calls = CALLS | SCIPY
    if len(sys.argv) == 2:
        print('\n'.join(calls))
    else:
        calls[sys.argv[2]](linalg)


main()
