import { EgressError, EgressRefusedError } from './egress-error.js';

/** One request in a chain of redirects. */
export interface Hop {
  /** Without user name, password and fragment. */
  url: URL;
  headers: Record<string, string>;
}

const SINGLE_ORIGIN_HEADERS = ['authorization', 'cookie', 'proxy-authorization'];

/** @throws EgressRefusedError if it is not an http or https URL */
export function readHop(target: string | URL, headers: Record<string, string>): Hop {
  const url = URL.canParse(String(target)) ? new URL(target) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new EgressRefusedError('only http and https are fetched');
  const { username, password } = url;
  const ownHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (username !== '' || password !== '') ownHeaders['authorization'] ??= basic(username, password);
  return { url: strip(url), headers: ownHeaders };
}

/**
 * Returns the request that a redirect leads to. Headers for one origin are not sent to another, a redirect from https
 * to http is rejected, and credentials in the location are ignored.
 */
export function nextHop({ url, headers }: Hop, location: string): Hop {
  if (!URL.canParse(location, url)) throw new EgressError('it was redirected to an invalid URL');
  const next = strip(new URL(location, url));
  if (next.protocol !== 'http:' && next.protocol !== 'https:')
    throw new EgressRefusedError('it was redirected to a URL that is neither http nor https');
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new EgressRefusedError('it was redirected from https to http, which is not followed');
  if (next.origin === url.origin) return { url: next, headers };
  return {
    url: next,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !SINGLE_ORIGIN_HEADERS.includes(name))),
  };
}

function strip(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}

/** Builds the header of basic authentication (RFC 7617). */
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`;

/** Both are percent-encoded in a URL; a lone percent sign is literal. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Removes everything from a URL that may be secret: user name, password, query and fragment. For messages and logs. */
export function redactUrl(url: string | URL): string {
  if (!URL.canParse(String(url))) return 'an invalid URL';
  const { protocol, host, pathname } = new URL(url);
  const redacted = `${protocol}//${host}${pathname}`;
  return redacted.length > 200 ? `${redacted.slice(0, 200)}…` : redacted;
}
