const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** Whether an address leads to this machine and nowhere else. */
export const isLoopback = (url: URL): boolean => LOOPBACK.has(url.hostname);
