/** Location of objects at an S3-compatible server. */
export interface S3Place {
  bucket: string;
  /** Prefix of every key; empty, or ends with a slash. */
  prefix: string;
  region: string;
  /** Absent for Amazon itself. */
  endpoint?: string;
  /**
   * Whether the bucket is the first part of the path instead of the host name, as most servers except Amazon require.
   */
  pathStyle: boolean;
}

const KNOWN_PARAMETERS = ['endpoint', 'region', 'path_style'];

/**
 * Parses `s3://bucket/prefix?endpoint=…&region=…&path_style=true`. It contains no credentials, because URLs are logged.
 * @throws Error that describes the problem without quoting the URL
 */
export function readStorageUrl(text: string): S3Place {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 's3:' || !url.hostname) throw new Error('must have the form s3://bucket/prefix?endpoint=…');
  if (url.username || url.password)
    throw new Error('must not contain credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead');
  const unknown = [...url.searchParams.keys()].find((name) => !KNOWN_PARAMETERS.includes(name));
  if (unknown !== undefined)
    throw new Error(`has the unknown parameter "${unknown}"; use ${KNOWN_PARAMETERS.join(', ')}`);
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
