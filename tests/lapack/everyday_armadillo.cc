/* everyday_armadillo.cc - everyday calls of Armadillo, judged by residuals, and values that they give */
/* SPDX-License-Identifier: Apache-2.0 */
#include <armadillo>
#include <cstdio>
#include <cstdlib>
#include <string>

/*
 * usage: everyday_armadillo [CALL [ORDER [complex]]]; without CALL it prints the names of the calls;
 * `every` is each of them.
 *
 * Signs and bases of vectors are a library's choice, so residuals are judged here. A line is `label
 * within bounds`, `label has a ratio of R`, or `label numbers...`.
 */
namespace
{
using arma::uword;

uword order = 60;

/* A residual in units of n eps times the factors' norms. */
template <typename T> void small(const char *label, const arma::Mat<T> &residual, double scale)
{
	const double eps = arma::datum::eps;
	const double ratio = arma::norm(residual, 1) / (double(order) * eps * scale);
	if (ratio < 30)
		std::printf("%s within bounds\n", label);
	else
		std::printf("%s has a ratio of %g\n", label, ratio);
}

template <typename M> void show(const char *label, const M &values)
{
	const auto x = arma::vectorise(values).eval();
	std::printf("%s", label);
	for (uword i = 0; i < x.n_elem && i < 200; i++)
		std::printf(" %.8e %.8e", std::real(x(i)) + 0.0, std::imag(x(i)) + 0.0);
	std::printf("\n");
}

void set(double &element, double real, double)
{
	element = real;
}

void set(arma::cx_double &element, double real, double imaginary)
{
	element = arma::cx_double(real, imaginary);
}

template <typename T> double size_of(const arma::Mat<T> &x)
{
	return arma::norm(x, 1);
}

/* A general, a Hermitian, and a positive definite matrix, right-hand sides, and a tall matrix. */
template <typename T> struct problem {
	arma::Mat<T> a, s, p, b, tall, one;

	explicit problem(uword n) : a(n, n), b(n, 4), tall(2 * n, n), one(n, n, arma::fill::eye)
	{
		for (uword j = 0; j < n; j++)
			for (uword i = 0; i < n; i++) {
				const double x = double(i + 1), y = double(j + 1);
				set(a(i, j), std::sin(x * y * 0.37 + x), std::cos(x * 0.7 - y));
				set(tall(n + i, j), std::sin(2 * x - y), std::sin(x + 3 * y));
			}
		for (uword j = 0; j < b.n_cols; j++)
			for (uword i = 0; i < n; i++)
				set(b(i, j), std::cos(double(i + 2 * j)), std::sin(double(i + j)));
		a += one * (double(n) / 4);
		tall.head_rows(n) = a;
		s = a + a.t();
		p = a * a.t() / double(n) + one;
	}

	void solve() const
	{
		const arma::Mat<T> x = arma::solve(a, b);
		small<T>("solve", a * x - b, size_of(a) * size_of(x));
		show("solve", x);
	}

	void inv() const
	{
		const arma::Mat<T> x = arma::inv(a);
		small<T>("inv", a * x - one, size_of(a) * size_of(x));
		show("inv", x);
	}

	void inv_sympd() const
	{
		const arma::Mat<T> x = arma::inv_sympd(p);
		small<T>("inv_sympd", p * x - one, size_of(p) * size_of(x));
		show("inv_sympd", x);
	}

	/* The transpose has the same one, by other pivots. */
	void det() const
	{
		const arma::Mat<T> scaled = a / double(order) * 4, transposed = scaled.st();
		const T value = arma::det(scaled);
		small<T>("det", arma::Mat<T>{arma::det(transposed) / value - 1.0}, 100);
		show("det", arma::Mat<T>{value});
	}

	void chol() const
	{
		const arma::Mat<T> r = arma::chol(p);
		small<T>("chol", r.t() * r - p, size_of(p));
		show("chol", r);
	}

	void qr() const
	{
		arma::Mat<T> q, r;
		arma::qr(q, r, a);
		small<T>("qr", q * r - a, size_of(a));
		small<T>("qr, orthogonal", q.t() * q - one, 1);
		show("qr", arma::abs(r.diag()).eval());
	}

	void eig_gen() const
	{
		arma::cx_vec w;
		arma::cx_mat v;
		arma::eig_gen(w, v, a);
		const arma::cx_mat left = arma::conv_to<arma::cx_mat>::from(a) * v;
		small<arma::cx_double>("eig_gen", left - v * arma::diagmat(w),
		                       size_of(a) * size_of(v));
	}

	void eig_sym() const
	{
		arma::vec w;
		arma::Mat<T> v;
		arma::eig_sym(w, v, s);
		small<T>("eig_sym", s * v - v * arma::diagmat(arma::conv_to<arma::Col<T>>::from(w)),
		         size_of(s));
		small<T>("eig_sym, orthogonal", v.t() * v - one, 1);
		show("eig_sym", w);
	}

	void eig_pair() const
	{
		arma::cx_vec w;
		arma::cx_mat v;
		arma::eig_pair(w, v, a, p);
		const arma::cx_mat left = arma::conv_to<arma::cx_mat>::from(a) * v,
				   right = arma::conv_to<arma::cx_mat>::from(p) * v;
		small<arma::cx_double>("eig_pair", left - right * arma::diagmat(w),
		                       (size_of(a) + size_of(p) * arma::abs(w).max()) * size_of(v));
	}

	void svd(bool wide) const
	{
		const arma::Mat<T> x = wide ? arma::Mat<T>(tall.t()) : tall;
		arma::Mat<T> u, v;
		arma::vec w;
		arma::svd_econ(u, w, v, x);
		const arma::Mat<T> d = arma::diagmat(arma::conv_to<arma::Col<T>>::from(w));
		small<T>("svd", u * d * v.t() - x, size_of(x));
		small<T>("svd, orthogonal", u.t() * u - one, 1);
		small<T>("svd, orthogonal", v.t() * v - one, 1);
		show("svd", w);
	}

	/* The residual of least squares is orthogonal to the columns. */
	void least_squares() const
	{
		const arma::Mat<T> c = arma::join_cols(b, b), x = arma::solve(tall, c);
		small<T>("least squares", tall.t() * (tall * x - c),
		         size_of(tall) * (size_of(tall) * size_of(x) + size_of(c)));
		show("least squares", x);
	}

	void pinv() const
	{
		const arma::Mat<T> x = arma::pinv(tall);
		small<T>("pinv", x * tall - one, size_of(tall) * size_of(x));
		show("pinv", x);
	}

	void expmat() const
	{
		const arma::Mat<T> x = a / double(order), there = arma::expmat(x),
				   back = arma::expmat(-x);
		small<T>("expmat", there * back - one, size_of(there) * size_of(back));
		show("expmat", there);
	}
};

template <typename T> bool run(const std::string &call)
{
	using p = problem<T>;
	static const struct {
		const char *name;
		void (*run)(const p &);
	} calls[] = {
		{"solve", [](const p &x) { x.solve(); }},
		{"inv", [](const p &x) { x.inv(); }},
		{"inv_sympd", [](const p &x) { x.inv_sympd(); }},
		{"det", [](const p &x) { x.det(); }},
		{"chol", [](const p &x) { x.chol(); }},
		{"qr", [](const p &x) { x.qr(); }},
		{"eig_gen", [](const p &x) { x.eig_gen(); }},
		{"eig_sym", [](const p &x) { x.eig_sym(); }},
		{"eig_pair", [](const p &x) { x.eig_pair(); }},
		{"svd_econ", [](const p &x) { x.svd(false); }},
		{"svd_econ, wide", [](const p &x) { x.svd(true); }},
		{"solve, overdetermined", [](const p &x) { x.least_squares(); }},
		{"pinv", [](const p &x) { x.pinv(); }},
		{"expmat", [](const p &x) { x.expmat(); }},
	};
	bool found = call.empty();
	const p matrices(order);
	for (const auto &each : calls)
		if (call.empty()) {
			std::printf("%s\n", each.name);
		} else if (call == each.name || call == "every") {
			each.run(matrices);
			found = true;
		}
	return found;
}
} /* namespace */

int main(int argc, char **argv)
{
	const std::string call = argc > 1 ? argv[1] : "";
	if (argc > 2)
		order = uword(std::atoi(argv[2]));
	const bool is_complex = argc > 3;
	if (is_complex ? run<arma::cx_double>(call) : run<double>(call))
		return 0;
	std::fprintf(stderr, "there is no call %s\n", call.c_str());
	return 2;
}
