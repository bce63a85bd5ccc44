/** Copies a text. On plain HTTP at a LAN address browsers have no clipboard API; a selected field replaces it. */
export async function copyText(text: string): Promise<void> {
  const { clipboard } = navigator as { clipboard?: Clipboard };
  if (clipboard) return clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.className = 'fixed opacity-0';
  const focused = document.activeElement;
  (document.querySelector('dialog[open], [role=dialog]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
}
