/** Where objects are kept at an S3-compatible server. */
export interface S3Place {
  bucket: string;
  /** Put in front of every key; empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Absent is Amazon's own. */
  endpoint?: string;
  /** The bucket as first part of the path instead of the host's name, as most servers other than Amazon's want it. */
  pathStyle: boolean;
}

const KNOWN = ['endpoint', 'region', 'path_style'];

/**
 * Reads `s3://bucket/prefix?endpoint=…&region=…&path_style=true`. Credentials have no place in it: URLs are logged.
 * @throws Error that says what is wrong, without quoting the URL
 */
export function readStorageUrl(text: string): S3Place {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:' || !url.hostname) throw new Error('must be like s3://bucket/prefix?endpoint=…');
  if (url.username || url.password)
    throw new Error('must hold no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN.includes(name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not known: there are ${KNOWN.join(', ')}`);
  const endpoint = url.searchParams.get('endpoint');
  if (endpoint !== null && !isPlainHttp(endpoint))
    throw new Error('endpoint must be an http or https URL without credentials');
  const pathStyle = url.searchParams.get('path_style');
  if (pathStyle !== null && !['true', 'false'].includes(pathStyle)) throw new Error('path_style must be true or false');
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  return {
    bucket: url.hostname,
    prefix: prefix && `${prefix}/`,
    region: url.searchParams.get('region') || 'us-east-1',
    pathStyle: pathStyle === null ? endpoint !== null : pathStyle === 'true',
    ...(endpoint !== null && { endpoint }),
  };
}

function isPlainHttp(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
