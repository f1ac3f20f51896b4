/** The style of both pages. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #ffffff; --raised: #f5f6f8; --line: #c9cdd3; --text: #1b1f24; --soft: #535a63; --focus: #0b57d0;
  --good: #17692f; --bad: #ac1f1f; --odd: #835300; --info: #1a5a8a; --held: #6f3a93; --none: #535a63;
  --good-ground: #e6f4ea; --bad-ground: #fdecea; --odd-ground: #fdf3dc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #15181c; --raised: #1e2227; --line: #434a53; --text: #e8eaed; --soft: #a9b1bb; --focus: #8ab4f8;
    --good: #7ed492; --bad: #ff9a92; --odd: #f0bf62; --info: #86c3f2; --held: #d3a6f5; --none: #a9b1bb;
    --good-ground: #16301e; --bad-ground: #3d1917; --odd-ground: #35290f;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1rem; }
body {
  background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
  margin: 0 auto; max-width: 76rem; padding: 1.5rem 1.25rem 4rem;
}
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: .875rem; margin: 1rem 0 .25rem; }
p { margin: 0 0 .5rem; }
code, pre { font: .875em/1.45 ui-monospace, Consolas, 'DejaVu Sans Mono', monospace; }
code, td, dd, .text { overflow-wrap: anywhere; unicode-bidi: isolate; }
pre {
  background: var(--ground); border: 1px solid var(--line); border-radius: .3rem; margin: .25rem 0 .5rem;
  max-height: 26rem; overflow: auto; padding: .6rem .75rem; white-space: pre-wrap; overflow-wrap: anywhere;
}
a { color: inherit; text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { background: var(--ground); left: 1rem; padding: .5rem 1rem; top: .5rem; z-index: 2; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }

.verdict { border-left: .4rem solid; border-radius: .3rem; font-size: 1.1rem; margin: 0 0 1rem; padding: .8rem 1rem; }
.verdict strong { display: block; font-size: 1.4rem; line-height: 1.3; }
.conformant { background: var(--good-ground); border-color: var(--good); }
.non-conformant { background: var(--bad-ground); border-color: var(--bad); }
.incomplete { background: var(--odd-ground); border-color: var(--odd); }
.conformant strong { color: var(--good); }
.non-conformant strong { color: var(--bad); }
.incomplete strong { color: var(--odd); }

.status { font-weight: 600; white-space: nowrap; }
.mark { display: inline-block; min-width: 1.2em; text-align: center; }
.pass { color: var(--good); }
.fail, .error { color: var(--bad); }
.differs, .inconclusive { color: var(--odd); }
.observed { color: var(--info); }
.blocked { color: var(--held); }
.not-applicable, .not-asked { color: var(--none); }

.facts { display: grid; gap: .1rem 1.25rem; grid-template-columns: max-content 1fr; margin: 0 0 .5rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }

.columns { display: flex; flex-wrap: wrap; gap: 0 2.5rem; }
.columns th, .columns td { padding-left: .45rem; padding-right: .45rem; }
.columns > * { max-width: 100%; min-width: 0; }
.columns caption { max-width: 22rem; }
.columns .note { max-width: 24rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .9375rem; }
caption { color: var(--soft); padding-bottom: .4rem; text-align: left; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .75rem; text-align: left; vertical-align: top; }
th { font-weight: 600; }
thead th { vertical-align: bottom; }
tbody tr:hover { background: var(--raised); }
.numbers td, .numbers thead th:not(:first-child) { font-variant-numeric: tabular-nums; text-align: right; }
tfoot th, tfoot td { border-bottom: 0; border-top: 2px solid var(--line); }
.wide { margin-bottom: 1rem; width: 100%; }
.wide tbody th { font-weight: 400; width: 34%; }
.targets { width: 100%; }
.targets tbody th { min-width: 11rem; }
.targets td { white-space: nowrap; }
.targets td.verdict { font-size: 1rem; min-width: 15rem; white-space: normal; }
.targets td.verdict strong { font-size: 1.1rem; }

#filter {
  align-items: end; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; display: flex;
  flex-wrap: wrap; gap: .75rem 1.25rem; margin: 0 0 1rem; padding: .75rem 1rem;
}
#filter fieldset { border: 0; display: flex; flex-basis: 100%; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 0; padding: 0; }
#filter legend { float: left; margin-right: .75rem; padding: 0; }
.field { display: grid; gap: .2rem; }
input, select, button { accent-color: var(--focus); color: inherit; font: inherit; }
input[type=search], select, button {
  background: var(--ground); border: 1px solid var(--soft); border-radius: .3rem; padding: .3rem .6rem;
}
input[type=search] { width: min(22rem, 80vw); }
button { cursor: pointer; }

details > summary { cursor: pointer; }
main > section > details > summary { padding: .25rem 0; }
.check { border-top: 1px solid var(--line); }
.check > summary { display: flex; flex-wrap: wrap; gap: .1rem .75rem; padding: .35rem .25rem; }
.check > summary::before { color: var(--soft); content: '▸'; }
.check[open] > summary::before { content: '▾'; }
.check > summary::-webkit-details-marker { display: none; }
.check > summary { list-style: none; }
.check > summary .status { min-width: 8.5rem; }
.check > summary .title { flex-basis: 20rem; flex-grow: 1; }
.check > .body { background: var(--raised); border-left: .25rem solid var(--line); margin: 0 0 .75rem; padding: .6rem 1rem; }
.check.bad > .body { border-left-color: var(--bad); }
.exchanges { margin: .25rem 0; padding-left: 2rem; }
.exchanges li { margin: .15rem 0; }
.pair { display: grid; gap: 0 1rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.pair h5 { font-size: .8125rem; margin: .4rem 0 0; }
.wrong { margin: 0; padding-left: 1.25rem; }
.wrong li { margin: .3rem 0; }
.note { background: var(--odd-ground); border-left: .3rem solid var(--odd); margin: 0 0 .5rem; padding: .4rem .75rem; }
@media print { #filter, .skip { display: none; } pre { max-height: none; } }
`
