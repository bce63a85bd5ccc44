import { describe, expect, it } from '@jest/globals';
import { readJsonPayload, readTextPayload, readHookInputs, readInputLabels } from './read-hook-call.js';

const json = (text: string | Buffer) => readJsonPayload(Buffer.from(text));

describe('the payload of a call to a hook', () => {
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

const labels = readInputLabels({
  primitiveNodes: {
    'string-input-1': { type: 'STRING', label: 'domain', value: 'example.org' },
    'boolean-input-1': { type: 'BOOLEAN', label: 'deep' },
    'string-input-2': { type: 'STRING', label: 'unnamed', value: 'unnamed' },
  },
});

describe('the inputs of a call to a hook', () => {
  it('are named by id or label; texts and booleans stay, null means none, other values become JSON, unknown names stay and are refused later', () => {
    const body = { domain: 'a.org', deep: true, 'string-input-2': 7, other: 1, unnamed: 'x' };
    expect(readHookInputs(body, labels)).toEqual({
      ...{ domain: 'a.org', deep: true, 'string-input-2': '7', other: '1', unnamed: 'x' },
    });
    expect(readHookInputs({ domain: { a: [1, null] }, deep: null }, labels)).toEqual({ domain: '{"a":[1,null]}' });
    expect(readHookInputs({}, labels)).toEqual({});
  });

  it('include the whole body for an input `body` unless the body has that field', () => {
    const whole = readInputLabels({
      primitiveNodes: { 'string-input-1': { label: 'body' }, 'string-input-2': { label: 'a' } },
    });
    expect(readHookInputs({ a: 1, b: 2 }, whole)).toEqual({ a: '1', body: '{"a":1,"b":2}' });
    expect(readHookInputs({ body: 'x' }, whole)).toEqual({ body: 'x' });
  });
});
