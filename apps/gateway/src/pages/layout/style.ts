/** The only style sheet of the pages. It is inline, and the policy allows it by its hash. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1d2330;--quiet:#596273;--paper:#f4f5f7;--card:#fff;--line:#8a93a3;--accent:#1d4ed8;--on:#fff;--bad:#b3161b}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaef;--quiet:#a5adbb;--paper:#14171d;--card:#1d222b;--line:#7b8494;--accent:#8ab0ff;--on:#10141c;--bad:#ff8a85}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:8vh auto;padding:2rem;background:var(--card);border-radius:.75rem}
.brand{margin:0 0 1rem;color:var(--quiet);font-weight:600}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.25}
h2{margin:1.5rem 0 0;font-size:1.1rem}
label{display:block;margin-top:1rem;font-weight:600}
label small{font-weight:400;color:var(--quiet)}
input{width:100%;margin-top:.25rem;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:inherit;font:inherit}
.code{white-space:nowrap;text-transform:uppercase;letter-spacing:.15em;font-family:ui-monospace,monospace}
button,.button{display:inline-block;margin:1.5rem .5rem 0 0;padding:.6rem 1.25rem;border:1px solid var(--accent);border-radius:.4rem;background:var(--accent);color:var(--on);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
:disabled{opacity:.5;cursor:default}
.quiet{background:transparent;color:var(--accent)}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
[role=alert]{margin:0 0 1rem;padding:.6rem .75rem;border-left:4px solid var(--bad);color:var(--bad)}
dl{display:grid;grid-template-columns:fit-content(50%) minmax(0,1fr);gap:.25rem 1rem;margin:1rem 0}
h1,p,dt{overflow-wrap:anywhere}
dt{color:var(--quiet)}
dd{margin:0;overflow-wrap:anywhere}
`;
