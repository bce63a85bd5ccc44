/** Parses `Retry-After`, in seconds or as a date (RFC 9110, section 10.2.3), to milliseconds; null if it is neither. */
export function readRetryAfter(text: string, now = Date.now()): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}
