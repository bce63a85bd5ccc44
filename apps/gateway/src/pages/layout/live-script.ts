/**
 * Keeps the page of what still goes on true: every two seconds it sends the page's form, as its button would, and puts what
 * comes back in place. A renewed sign-in comes back with it, so nothing else is sent while that is under way. Where the
 * server is busy or away, what is there stays. Without scripts the page has a button that does the same.
 */
export const LIVE_SCRIPT = `
const formOf = (page) => page.querySelector('form[data-live]');
let asking, isLeaving = false;

function show(page) {
  const [from, to] = [formOf(page), formOf(document)];
  document.title = page.title;
  if (!from) return document.querySelector('main').replaceWith(page.querySelector('main'));
  for (const { name, value, disabled } of from.elements) Object.assign(to.elements[name] ?? {}, { value, disabled });
  document.querySelector('#live').replaceWith(page.querySelector('#live'));
}

async function ask() {
  const form = formOf(document);
  const answer = await fetch(form.getAttribute('action'), { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const text = await answer.text();
  if (answer.status !== 429 && answer.status < 500) show(new DOMParser().parseFromString(text, 'text/html'));
}

async function tick() {
  if (isLeaving || !formOf(document)) return;
  if (!document.hidden) {
    asking = ask().catch(() => {}).finally(() => { asking = undefined; });
    await asking;
  }
  setTimeout(tick, 2000);
}
setTimeout(tick, 2000);

addEventListener('submit', (event) => {
  isLeaving = true;
  if (!asking) return;
  event.preventDefault();
  asking.then(() => event.target.requestSubmit(event.submitter));
});
`;
