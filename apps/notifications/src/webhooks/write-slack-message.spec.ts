import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

const write = (given: Pick<WebhookEvent, 'said' | 'detail' | 'page'>) =>
  writeSlackMessage({ ...event, ...given }, 'https://m.example/at/');
const event = { type: 'run.failed', at: '2026-11-22T13:00:00.000Z', data: {} } as const;

it('says what happened, and the error below it', () => {
  expect(write({ said: 'Run 42 failed', detail: 'exit code 1', page: '/runs/42' })).toEqual({
    text: 'Run 42 failed',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: ':x: Run 42 failed <https://m.example/at/runs/42|Open>' } },
      { type: 'section', text: { type: 'mrkdwn', text: '```exit code 1```' } },
    ],
  });
});

it('no name mentions a channel or makes a link, and no error ends its fence', () => {
  const { text, blocks } = write({ said: '<!channel> & <https://evil.example|here>', detail: '```<!here>' });
  expect(text).toBe('&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;');
  expect(blocks[1]?.text.text).toBe("```'''&lt;!here&gt;```");
});

it('is never longer than Slack takes, and holds no broken escape', () => {
  const long = fc.string({ unit: fc.constantFrom('<', '&', 'a', '😀', '`'), minLength: 0, maxLength: 5_000 });
  fc.assert(
    fc.property(long, long, (said, detail) => {
      const { blocks } = write({ said, detail });
      for (const { text } of blocks) {
        expect(text.text.length).toBeLessThanOrEqual(3_000);
        expect(text.text.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
        expect(text.text.isWellFormed()).toBe(true);
      }
    }),
  );
});
