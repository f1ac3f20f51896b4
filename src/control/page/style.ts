/** How the page looks, in light and in dark. Text stands out from what is behind it by 4.5 to 1 or more. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f7; --sheet: #fff; --ink: #16212b; --quiet: #55636f; --line: #d5dce1;
  --accent: #0b6e75; --on-accent: #fff; --chosen: #e0f1f1; --good: #1b6b35; --warn: #8a4b00; --bad: #a8201a;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12181d; --sheet: #1b242b; --ink: #e6ecf0; --quiet: #a3b1bc; --line: #35424c;
    --accent: #63c7cd; --on-accent: #0c2527; --chosen: #173c40; --good: #7fd195; --warn: #f0b35e; --bad: #ff9a92;
  }
}
* { box-sizing: border-box; }
html { background: var(--ground); }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: .85rem/1.45 system-ui, sans-serif;
  container-type: inline-size; overflow-wrap: break-word; }
header { background: var(--sheet); border-bottom: 1px solid var(--line); padding: .7rem 1.2rem; display: flex;
  flex-wrap: wrap; gap: .3rem 1.2rem; align-items: center; }
h1 { font-size: 1.15rem; margin: 0; }
h1 span { color: var(--accent); }
h2 { font-size: 1rem; margin: 0 0 .6rem; }
.title { display: flex; gap: .6rem; justify-content: space-between; align-items: center; margin-bottom: .6rem; }
.title h2 { margin: 0; }
h3 { font-size: .95rem; margin: 0 0 .5rem; overflow-wrap: anywhere; }
p { margin: 0; }
#live::before { content: "●"; margin-right: .35rem; }
#live.live { color: var(--good); }
#live.lost { color: var(--bad); }
.clock { margin-left: auto; display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; }
#time, .number, time, progress + span { font-variant-numeric: tabular-nums; }
.words { flex-basis: 100%; min-height: 1.3rem; overflow-wrap: anywhere; }
#said { color: var(--good); }
#problem { color: var(--bad); font-weight: 600; }
main { display: grid; gap: 1rem; padding: 1rem 1.2rem; max-width: 100rem; margin: 0 auto;
  grid-template-columns: 13rem minmax(0, 1fr) 26rem; align-items: start; }
.column { display: grid; gap: 1rem; min-width: 0; }
nav, section { background: var(--sheet); border: 1px solid var(--line); border-radius: .5rem; padding: .9rem 1rem; min-width: 0; }
/* By the size of the text rather than of the window: large text needs the one column sooner. */
@container (max-width: 60rem) { main { grid-template-columns: minmax(0, 1fr); } }
ul, ol { list-style: none; margin: 0; padding: 0; }
ul ul { padding-left: .9rem; }
#queues { max-height: 34rem; overflow: auto; }
#queues a, #queues summary { min-width: 7rem; }
#queues a { display: flex; justify-content: space-between; gap: .6rem; padding: .25rem .5rem; border-radius: .3rem;
  color: inherit; text-decoration: none; }
#queues a:hover { background: var(--ground); }
#queues a[aria-current] { background: var(--chosen); font-weight: 600; }
#queues bdi { overflow-wrap: anywhere; min-width: 0; }
#queues summary { padding: .25rem 0; cursor: pointer; }
.counts { color: var(--quiet); font-weight: normal; white-space: nowrap; }
summary .counts { float: right; padding-right: .5rem; }
.quiet { color: var(--quiet); font-weight: normal; }
.scroll { overflow: auto; max-height: 34rem; }
.scroll thead th { position: sticky; top: 0; background: var(--sheet); }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-bottom: 1px solid var(--line); }
td:last-child { padding-right: 0; }
th { font-weight: 600; }
thead th { color: var(--quiet); font-weight: normal; white-space: nowrap; }
td bdi, th bdi, dd { overflow-wrap: anywhere; }
.message { width: 100%; min-width: 8rem; }
.from { min-width: 5.5rem; }
.id { min-width: 5.8rem; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 9rem; overflow: auto; font: .85rem/1.4 ui-monospace, monospace; }
code { display: block; font: .85rem ui-monospace, monospace; }
.property { color: var(--quiet); }
.held, .ready { white-space: nowrap; }
.held { color: var(--warn); }
.ready { color: var(--good); }
.lease { white-space: nowrap; }
progress { display: block; width: 5.5rem; height: .45rem; margin: .4rem 0 .2rem; accent-color: var(--accent); }
form { display: flex; flex-wrap: wrap; gap: .5rem .7rem; align-items: end; margin-top: .8rem; }
.clock form { margin: 0; }
fieldset { border: 0; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
label { display: flex; flex-direction: column; gap: .15rem; color: var(--quiet); }
fieldset label { flex-direction: row; align-items: center; gap: .5rem; }
label:has(textarea), nav label { flex: 1 1 12rem; min-width: 0; }
nav input { width: 100%; }
input, select, textarea, button { font: inherit; color: var(--ink); background: var(--sheet); border: 1px solid var(--quiet);
  border-radius: .3rem; padding: .25rem .5rem; max-width: 100%; }
::placeholder { color: var(--quiet); opacity: 1; }
input[type="number"] { width: 5.5rem; }
textarea { width: 100%; resize: vertical; }
button { cursor: pointer; }
form button:not([type]) { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
button[aria-disabled="true"], fieldset:disabled button { opacity: .5; cursor: default; }
.title button { font-size: .8rem; padding: .1rem .5rem; }
.danger { color: var(--bad); border-color: var(--bad); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#queues :focus-visible, #journal :focus-visible, .scroll :focus-visible { outline-offset: -2px; }
a { color: var(--accent); }
#journal { max-height: 30rem; overflow: auto; }
#journal li { border-bottom: 1px solid var(--line); }
#journal summary { cursor: pointer; padding: .3rem 0; display: flex; flex-wrap: wrap; gap: 0 .7rem; align-items: baseline; }
#journal summary .number { min-width: 1.2rem; text-align: right; }
#journal summary strong { min-width: 3.6rem; }
.path { overflow-wrap: anywhere; min-width: 0; flex: 1 1 10rem; font-family: ui-monospace, monospace; font-size: .85rem; }
.status, .fired { white-space: nowrap; }
.fine { color: var(--good); }
.refused { color: var(--warn); }
.failed { color: var(--bad); }
.fired { margin-left: auto; color: var(--on-accent); background: var(--accent); border-radius: .3rem; padding: 0 .4rem; }
.side { padding: .3rem 0 .6rem 3rem; }
dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: 0 1rem; margin: 0 0 .4rem; }
dt { color: var(--quiet); overflow-wrap: anywhere; }
dd { margin: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@container (max-width: 30rem) {
  header, main { padding: .6rem; }
  nav, section { padding: .7rem; }
  .held { white-space: normal; }
  .side { padding-left: 0; }
}
`.trimStart()
