/** The style of the page, light and dark. */
export const reportStyle: string = `
:root {
  --ground: #fff; --panel: #f5f6f8; --text: #1b1f24; --quiet: #5b6470; --line: #d6dae0; --link: #0b5cad;
  --pass: #17692f; --fail: #b3171c; --warn: #855500; --none: #5b6470;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171b; --panel: #1e2329; --text: #e4e8ed; --quiet: #9aa4b0; --line: #353c45; --link: #78b4f5;
    --pass: #66cc80; --fail: #ff8580; --warn: #e8b450; --none: #9aa4b0;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1200px; padding: 1.5rem 1rem 4rem; background: var(--ground); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.5rem; } h1 small { color: var(--quiet); font-weight: normal; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .25rem 0; } header p { color: var(--quiet); overflow-wrap: anywhere; }
header .verdict { font-size: 1.15rem; font-weight: 600; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { margin: .25rem 0; padding: .5rem .75rem; background: var(--panel); border-radius: 4px; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 30rem; overflow: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--quiet); font-weight: 600; white-space: nowrap; } .number { text-align: right; white-space: nowrap; }
nav { display: flex; gap: .25rem; margin: 1.25rem 0 .75rem; border-bottom: 1px solid var(--line); }
button, input, select { font: inherit; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .25rem .6rem; }
nav button { border: 0; background: none; border-bottom: 3px solid transparent; border-radius: 0; padding: .4rem .8rem; cursor: pointer; }
nav button[aria-selected="true"] { border-bottom-color: var(--link); font-weight: 600; }
button.plain { border: 0; background: none; padding: 0; color: var(--link); text-align: left; cursor: pointer; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: .5rem; }
.filters input { flex: 1 1 16rem; } .filters output { color: var(--quiet); }
.pass, .holds { color: var(--pass); } .fail, .failed, .unexpected-pass { color: var(--fail); }
.known-fail, .error { color: var(--warn); } .skipped, .untested, .not-selected { color: var(--none); }
.where { min-width: 16rem; }
.quiet { color: var(--quiet); } .status { font-weight: 600; white-space: nowrap; }
details.case { border-bottom: 1px solid var(--line); }
details.case > summary { display: grid; grid-template-columns: 8.5rem 1fr 6.5rem 6.5rem 5rem; gap: .6rem; padding: .3rem 0; cursor: pointer; list-style: none; }
details.case > summary::-webkit-details-marker { display: none; }
details.case > summary > span { overflow-wrap: anywhere; } details.case > summary:hover { background: var(--panel); }
details.case > div { padding: .25rem 0 1rem 1rem; border-left: 3px solid var(--line); margin: 0 0 .5rem .25rem; }
.expected { display: grid; grid-template-columns: 6rem 1fr; gap: 0 .6rem; align-items: baseline; }
.overview { margin: 1rem 0; } .bar { display: flex; gap: 2px; height: .75rem; margin: .5rem 0; }
.bar span { background: currentColor; border-radius: 2px; min-width: 3px; }
details.cause, details.branch { border-bottom: 1px solid var(--line); }
details.cause > summary { display: grid; grid-template-columns: 2.5rem 1fr 9rem 6rem; gap: .6rem; padding: .45rem 0; cursor: pointer; list-style: none; font-weight: 600; }
details.cause > summary::-webkit-details-marker { display: none; }
details.cause > summary > span { overflow-wrap: anywhere; } details.cause > summary:hover { background: var(--panel); }
details.cause > div { padding: 0 0 1rem 3.1rem; }
details.branch > summary { padding: .35rem 0; cursor: pointer; } details.branch > div { padding: 0 0 .5rem 1.25rem; }
.more { margin: .75rem 0; }
@media (max-width: 700px) { details.case > summary { grid-template-columns: 7rem 1fr; } details.case > summary > .wide, details.cause > summary > .wide { display: none; } details.cause > summary { grid-template-columns: 2rem 1fr 5rem; } details.cause > div { padding-left: .5rem; } }
`;
