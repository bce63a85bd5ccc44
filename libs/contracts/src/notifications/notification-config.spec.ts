import { expect, it } from '@jest/globals';
import { toErrorDetails } from '../kit/api-error.js';
import { describeApi } from '../openapi.js';
import { updateNotificationConfig } from './notification-config.js';

const parse = (config: unknown) => updateNotificationConfig.body.safeParse({ config });

it.each<[string, unknown, string]>([
  ['no text', { RUN_FAILED: {} }, 'body.config'],
  ['no JSON', '{"RUN_FAILED"', 'body.config'],
  ['another thing than an object', '[]', 'body.config'],
  ['null', 'null', 'body.config'],
  ['a type that there is not', '{"RUN_EXPLODED": {"email": true}}', 'body.config.RUN_EXPLODED'],
  ['a type that is no object', '{"RUN_FAILED": true}', 'body.config.RUN_FAILED'],
  ['a channel that there is not', '{"RUN_FAILED": {"sms": true}}', 'body.config.RUN_FAILED.sms'],
  ['something else than true and false', '{"RUN_FAILED": {"email": "yes"}}', 'body.config.RUN_FAILED.email'],
  ['null in a channel', '{"RUN_FAILED": {"email": null}}', 'body.config.RUN_FAILED.email'],
  ['the prototype', '{"__proto__": {"email": true}}', 'body.config.__proto__'],
  ['very deep JSON', '['.repeat(9_000), 'body.config'],
  ['very long JSON', `{}${' '.repeat(10_000)}`, 'body.config'],
])('a configuration that is %s is refused, and where is said', (_, config, field) => {
  const { error } = parse(config);
  expect(error).toBeDefined();
  expect(Object.keys(toErrorDetails(error ?? { issues: [] }, 'body'))).toEqual([field]);
});

it('a configuration may leave out anything', () => {
  expect(parse('{}').data).toEqual({ config: {} });
  expect(parse('{"RUN_FAILED": {}}').data).toEqual({ config: { RUN_FAILED: {} } });
});

it('is described as the text that clients send', () => {
  const { paths } = describeApi('https://m.example') as { paths: Record<string, Record<string, unknown>> };
  expect(paths['/notification-config']?.['put']).toMatchObject({
    requestBody: {
      content: { 'application/json': { schema: { required: ['config'], properties: { config: { type: 'string' } } } } },
    },
  });
});
