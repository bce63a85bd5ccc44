/**
 * Updates the page of a record that still changes: every two seconds it submits the page's form, as the button would, and
 * replaces the content with the response. The response may carry a renewed session, so nothing else is sent until it arrives. If
 * the server is busy or down, the content stays. Without scripts, a button does the same.
 */
export const LIVE_SCRIPT = `
const formOf = (page) => page.querySelector('form[data-live]');
let pendingRefresh, isLeaving = false;

function show(page) {
  const [from, to] = [formOf(page), formOf(document)];
  document.title = page.title;
  if (!from) return document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const { name, value, disabled } of from.elements) Object.assign(to.elements[name] ?? {}, { value, disabled });
  document.querySelector('#live').replaceWith(page.querySelector('#live'));
}

async function refresh() {
  const form = formOf(document);
  const response = await fetch(form.getAttribute('action'), { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const text = await response.text();
  if (response.status !== 429 && response.status < 500) show(new DOMParser().parseFromString(text, 'text/html'));
}

async function tick() {
  if (isLeaving || !formOf(document)) return;
  if (!document.hidden) {
    pendingRefresh = refresh().catch(() => {}).finally(() => { pendingRefresh = undefined; });
    await pendingRefresh;
  }
  setTimeout(tick, 2000);
}
setTimeout(tick, 2000);

addEventListener('submit', (event) => {
  isLeaving = true;
  if (!pendingRefresh) return;
  event.preventDefault();
  pendingRefresh.then(() => event.target.requestSubmit(event.submitter));
});
`;
