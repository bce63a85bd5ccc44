import { EgressError, EgressRefusedError } from './egress-error.js';

/** One request of a chain of redirects. */
export interface Hop {
  /** Without name, password and fragment. */
  url: URL;
  headers: Record<string, string>;
}

const OF_ONE_ORIGIN = ['authorization', 'cookie', 'proxy-authorization'];

/** @throws EgressRefusedError for what is no http(s) URL */
export function readHop(given: string | URL, headers: Record<string, string>): Hop {
  const url = URL.canParse(String(given)) ? new URL(given) : null;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new EgressRefusedError('only http and https are fetched');
  const { username, password } = url;
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (username !== '' || password !== '') own['authorization'] ??= basic(username, password);
  return { url: strip(url), headers: own };
}

/**
 * Where a redirect leads. What was meant for one origin is not carried to another, and encryption is not given up on the
 * way. Credentials that a redirect brings along are not used.
 */
export function nextHop({ url, headers }: Hop, location: string): Hop {
  if (!URL.canParse(location, url)) throw new EgressError('it was redirected to what is no URL');
  const next = strip(new URL(location, url));
  if (next.protocol !== 'http:' && next.protocol !== 'https:')
    throw new EgressRefusedError('it was redirected to what is neither http nor https');
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new EgressRefusedError('it was redirected from https to http, which is not followed');
  if (next.origin === url.origin) return { url: next, headers };
  return {
    url: next,
    headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_ORIGIN.includes(name))),
  };
}

function strip(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  bare.hash = '';
  return bare;
}

/** RFC 7617. */
export const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${unescape(username)}:${unescape(password)}`).toString('base64')}`;

/** In a URL both are percent-encoded; a lone percent sign is itself. */
function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
