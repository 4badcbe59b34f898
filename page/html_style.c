/* html_style.c - how pages look, in light and dark, on a screen and on a phone */
/* SPDX-License-Identifier: Apache-2.0 */
#include "page/html_style.h"

/*
 * The colours keep apart for all eyes, and are set for each ground by itself: dark is not light
 * turned over.
 */
#define STYLE_LIGHT                                                                                                  \
	"color-scheme:light dark;--ground:#f9f9f7;--card:#fdfdfc;--edge:#e6e5df;--ink:#0b0b0b;--soft:#52514e;"       \
	"--faint:#75736c;--grid:#e6e5df;--axis:#c3c2b7;--cpu:#eb6834;--gpu:#2a78d6;--device:#1baf7a;--rest:#c9c8c0;" \
	"--cpu-ink:#b0441a;--gpu-ink:#1f5fae;--device-ink:#0d6f4c"
#define STYLE_DARK                                                                                                    \
	"--ground:#0d0d0d;--card:#1a1a19;--edge:#2c2c2a;--ink:#ffffff;--soft:#c3c2b7;--faint:#98968e;--grid:#2c2c2a;" \
	"--axis:#4a4945;--cpu:#d95926;--gpu:#3987e5;--device:#199e70;--rest:#4f4e4a;--cpu-ink:#f08a5d;"               \
	"--gpu-ink:#6aa9f0;--device-ink:#3cc798"

const char html_style[] =
	":root{" STYLE_LIGHT "}\n"
	"@media (prefers-color-scheme:dark){:root{" STYLE_DARK "}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,-apple-system,'Segoe UI',"
	"sans-serif;-webkit-text-size-adjust:100%}\n"
	"main{max-width:980px;margin:0 auto;padding:32px 24px 64px}\n"
	"h1{font-size:25px;line-height:1.25;margin:0;font-weight:650;letter-spacing:-.01em;overflow-wrap:anywhere}\n"
	"h2{font-size:17px;line-height:1.3;margin:0 0 4px;font-weight:650}\n"
	"section{margin-top:40px}\n"
	"p{margin:4px 0;max-width:72ch;overflow-wrap:anywhere}\n"
	".note,.lead{color:var(--soft)}\n"
	".warning{border-left:3px solid var(--cpu);padding:8px 12px;margin:16px 0 0;background:var(--card)}\n"
	".advice{border:1px solid var(--edge);border-left:3px solid var(--gpu);border-radius:8px;padding:14px 18px;"
	"margin-top:24px;background:var(--card)}\n"
	".advice b{display:block;font-size:13px;color:var(--soft);font-weight:600}\n"
	".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;margin-top:24px}\n"
	".tile,figure,.table{background:var(--card);border:1px solid var(--edge);border-radius:10px}\n"
	".tile{padding:14px 16px}\n"
	".tile b{display:block;font-size:26px;line-height:1.2;font-weight:600;letter-spacing:-.01em;overflow-wrap:anywhere}\n"
	".tile span{color:var(--soft);font-size:13px;line-height:1.35;display:block;margin-top:2px}\n"
	".figures{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:16px;margin-top:14px}\n"
	"figure{margin:0;padding:16px 18px 12px;min-width:0}\n"
	".wide{grid-column:1/-1}\n"
	"figcaption b{display:block;font-weight:600;overflow-wrap:anywhere}\n"
	"figcaption span{display:block;color:var(--soft);font-size:13px;line-height:1.4}\n"
	".keys{list-style:none;display:flex;flex-wrap:wrap;gap:2px 16px;margin:8px 0 2px;padding:0;font-size:12.5px;"
	"color:var(--soft)}\n"
	".keys li{display:flex;align-items:center;gap:6px}\n"
	".keys i{display:block;width:16px;height:0;border-top:2px solid var(--c)}\n"
	".keys i.dashes{border-top-style:dashed}\n"
	".keys i.dot{width:8px;height:8px;border:0;border-radius:50%;background:var(--c)}\n"
	".keys i.block{width:10px;height:10px;border:0;border-radius:2px;background:var(--c)}\n"
	".cpu{--c:var(--cpu);--t:var(--cpu-ink)}.gpu{--c:var(--gpu);--t:var(--gpu-ink)}\n"
	".device{--c:var(--device);--t:var(--device-ink)}.rest{--c:var(--rest);--t:var(--soft)}\n"
	"svg{display:block;width:100%;height:auto;overflow:visible}\n"
	"svg text{font-size:11px;fill:var(--t,var(--soft))}\n"
	"svg .tick{fill:var(--faint);font-variant-numeric:tabular-nums}\n"
	"svg .axis{fill:var(--soft)}\n"
	"svg text.cpu,svg text.gpu,svg text.device{font-weight:600}\n"
	".grid{stroke:var(--grid);stroke-width:1}\n"
	".stroke{stroke:var(--axis);stroke-width:1}\n"
	".mark{stroke:var(--faint);stroke-width:1;stroke-dasharray:2 3}\n"
	"path{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round;stroke-linecap:round}\n"
	"path.dashes{stroke-width:1.6;stroke-dasharray:5 4;stroke-linecap:butt}\n"
	"circle.dot{fill:var(--c);stroke:var(--card);stroke-width:1.2}\n"
	"circle.ring{fill:none;stroke:var(--c);stroke-width:1.6;stroke-dasharray:3 2}\n"
	"rect.bar{fill:var(--c)}\n"
	"circle:hover,rect:hover{stroke:var(--ink);stroke-width:1}\n"
	".nothing{color:var(--soft);margin:12px 0 8px}\n"
	".on-narrow{display:none}\n"
	".table{overflow-x:auto;margin-top:14px;padding:4px 0}\n"
	"table{border-collapse:collapse;width:100%;font-size:13.5px}\n"
	"th,td{text-align:left;padding:7px 14px;vertical-align:baseline;border-top:1px solid var(--edge);"
	"overflow-wrap:anywhere}\n"
	"th{border-top:0;color:var(--soft);font-weight:600;font-size:12.5px}\n"
	".number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	"td small{display:block;color:var(--soft);font-size:12.5px;line-height:1.35}\n"
	".share{display:block;height:5px;min-width:56px;border-radius:3px;background:var(--grid);margin-top:6px}\n"
	".share i{display:block;height:100%;border-radius:3px;background:var(--c)}\n"
	"code{font:0.92em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}\n"
	"footer{margin-top:48px;color:var(--faint);font-size:13px}\n"
	"@media (max-width:720px){main{padding:20px 14px 48px}.figures{grid-template-columns:minmax(0,1fr)}"
	".on-wide{display:none}.on-narrow{display:block}figure{padding:14px 12px 10px}section{margin-top:32px}"
	".tiles{grid-template-columns:repeat(2,minmax(0,1fr))}.tile b{font-size:22px}.tile:last-child:nth-child(odd){grid-column:1/-1}svg text{font-size:12px}th,td{padding:7px 10px}}\n";
