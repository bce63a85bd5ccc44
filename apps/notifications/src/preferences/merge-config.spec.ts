import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type ConfigChange, updateNotificationConfig } from '@millrace/contracts/notifications/notification-config';
import { NOTIFICATION_TYPES } from '@millrace/contracts/notifications/notifications';
import { DEFAULT_CONFIG, mergeConfig, readConfig } from './merge-config.js';

const channels = fc.record({ email: fc.boolean(), in_app: fc.boolean() }, { requiredKeys: [] });
const change = fc.dictionary(fc.constantFrom(...NOTIFICATION_TYPES), channels, { noNullPrototype: true });
const parse = (change: ConfigChange) => updateNotificationConfig.body.parse({ config: JSON.stringify(change) }).config;

it('each channel has the value of the last change, otherwise the default', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
      const merged = changes.map(parse).reduce(mergeConfig, DEFAULT_CONFIG);
      for (const type of NOTIFICATION_TYPES) {
        for (const channel of ['email', 'in_app'] as const) {
          const chosen = changes.map((single) => single[type]?.[channel]).filter((value) => value !== undefined);
          expect(merged[type][channel]).toBe(chosen.at(-1) ?? DEFAULT_CONFIG[type][channel]);
        }
      }
    }),
  );
});

it('a stored configuration that lacks a type is completed with defaults', () => {
  const stored = { RUN_FAILED: { email: false, in_app: false } };
  expect(readConfig(stored)).toEqual({ ...DEFAULT_CONFIG, ...stored });
  expect(readConfig(null)).toEqual(DEFAULT_CONFIG);
});
