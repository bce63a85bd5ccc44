import { expect, it } from '@jest/globals';
import { toErrorDetails } from '../kit/api-error.js';
import { describeApi } from '../openapi/describe-api.js';
import { updateNotificationConfig } from './notification-config.js';

const parse = (config: unknown) => updateNotificationConfig.body.safeParse({ config });

it.each<[string, unknown, string]>([
  ['not a string', { RUN_FAILED: {} }, 'body.config'],
  ['not JSON', '{"RUN_FAILED"', 'body.config'],
  ['not an object', '[]', 'body.config'],
  ['null', 'null', 'body.config'],
  ['an unknown type', '{"RUN_EXPLODED": {"email": true}}', 'body.config.RUN_EXPLODED'],
  ['a type whose value is not an object', '{"RUN_FAILED": true}', 'body.config.RUN_FAILED'],
  ['an unknown channel', '{"RUN_FAILED": {"sms": true}}', 'body.config.RUN_FAILED.sms'],
  ['a channel that is neither true nor false', '{"RUN_FAILED": {"email": "yes"}}', 'body.config.RUN_FAILED.email'],
  ['null in a channel', '{"RUN_FAILED": {"email": null}}', 'body.config.RUN_FAILED.email'],
  ['the key `__proto__`', '{"__proto__": {"email": true}}', 'body.config.__proto__'],
  ['very deep JSON', '['.repeat(9_000), 'body.config'],
  ['very long JSON', `{}${' '.repeat(10_000)}`, 'body.config'],
])('rejects %s and names the field', (_, config, field) => {
  const { error } = parse(config);
  expect(error).toBeDefined();
  expect(Object.keys(toErrorDetails(error ?? { issues: [] }, 'body'))).toEqual([field]);
});

it('accepts a partial configuration', () => {
  expect(parse('{}').data).toEqual({ config: {} });
  expect(parse('{"RUN_FAILED": {}}').data).toEqual({ config: { RUN_FAILED: {} } });
});

it('is described as the string that clients send', () => {
  const { paths } = describeApi('https://m.example') as { paths: Record<string, Record<string, unknown>> };
  expect(paths['/notification-config']?.['put']).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { required: ['config'], properties: { config: { type: 'string' } } } } },
    },
  });
});
