/**
 * Runs `follow` while the page is visible, and again each time it becomes visible. Browsers allow six connections to a server
 * over HTTP/1.1 for all tabs together, so hidden tabs must not occupy any with a stream.
 * @returns ends this
 */
export function whileVisible(follow: (signal: AbortSignal) => Promise<void>): () => void {
  let current: AbortController | undefined;
  const update = () => {
    if (document.visibilityState === 'hidden') {
      current?.abort();
      current = undefined;
    } else if (!current) {
      current = new AbortController();
      // It ends with the page, or with an error that requests of the page report as well.
      follow(current.signal).catch(() => undefined);
    }
  };
  document.addEventListener('visibilitychange', update);
  update();
  return () => {
    document.removeEventListener('visibilitychange', update);
    current?.abort();
  };
}
