import { describe, expect, it } from '@jest/globals';
import { readStorageUrl } from './read-storage-url.js';

describe('readStorageUrl', () => {
  it('reads a bucket at Amazon if there are no parameters', () => {
    expect(readStorageUrl('s3://things')).toEqual({
      bucket: 'things',
      prefix: '',
      region: 'us-east-1',
      pathStyle: false,
    });
  });

  it('reads the endpoint of another server, and a prefix', () => {
    expect(readStorageUrl('s3://things/a/b%20c/?endpoint=http://127.0.0.1:9000&region=eu-1')).toEqual({
      bucket: 'things',
      prefix: 'a/b c/',
      region: 'eu-1',
      endpoint: 'http://127.0.0.1:9000',
      pathStyle: true,
    });
    expect(readStorageUrl('s3://b?endpoint=https://s3.example.org&path_style=false')).toMatchObject({
      pathStyle: false,
    });
  });

  it.each([
    'things',
    'http://things',
    's3://',
    's3://key:hidden@things',
    's3://b?endpoint=http://key:hidden@host',
    's3://b?endpoint=ftp://x',
    's3://b?path_style=yes',
    's3://b?secret=hidden',
  ])('rejects %s without quoting its secret', (text) => {
    expect(() => readStorageUrl(text)).toThrow();
    expect(() => readStorageUrl(text)).not.toThrow(/hidden/);
  });
});
