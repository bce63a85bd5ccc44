import { describe, expect, it } from '@jest/globals';
import { readJsonPayload, readTextPayload } from './read-payload.js';

const json = (text: string | Buffer) => readJsonPayload(Buffer.from(text));

describe('the payload of a webhook call', () => {
  it('is a JSON object or empty', () => {
    expect(json('{"a":[1]}')).toEqual({ a: [1] });
    expect(json('')).toEqual({});
  });

  it.each(['[1]', '"x"', '1', 'true', 'null'])('is refused if it is %s', (text) => {
    expect(() => json(text)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: { body: 'must be a JSON object' } }),
    );
  });

  it('is refused with a hint to `payload_as` if it is not JSON', () => {
    expect(() => json('a=1&b=2')).toThrow(
      expect.objectContaining({ code: 'malformed_json', message: expect.stringContaining('payload_as') }),
    );
  });

  it.each(['{"__proto__":{"a":1}}', '{"a":"\\u0000"}', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`])(
    'is refused if it is %.20s',
    (text) => {
      expect(() => json(text)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    },
  );

  it('is refused as text if it is not UTF-8', () => {
    const bytes = Buffer.from([0xff, 0xfe]);
    for (const read of [readTextPayload, readJsonPayload]) {
      expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'validation_error' }));
    }
  });
});
