import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WebhookEvent } from './webhook-event.js';
import { writeSlackMessage } from './write-slack-message.js';

const write = (content: Pick<WebhookEvent, 'summary' | 'detail' | 'page'>) =>
  writeSlackMessage({ ...event, ...content }, 'https://m.example/at/');
const event = { type: 'run.failed', at: '2026-11-22T13:00:00.000Z', data: {} } as const;

it('the message contains the summary and the error below it', () => {
  expect(write({ summary: 'Run 42 failed', detail: 'exit code 1', page: '/runs/42' })).toEqual({
    text: 'Run 42 failed <https://m.example/at/runs/42|Open>\n```exit code 1```',
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: ':x: Run 42 failed <https://m.example/at/runs/42|Open>' } },
      { type: 'section', text: { type: 'mrkdwn', text: '```exit code 1```' } },
    ],
  });
});

it('the message has the emoji of its event, and no link without a page', () => {
  const { blocks } = writeSlackMessage(
    { ...event, type: 'billing.restricted', summary: 'No run can be started' },
    'https://m.example',
  );
  expect(blocks[0]?.text.text).toBe(':no_entry: No run can be started');
});

it('no name mentions a channel or makes a link, and no error ends its code block', () => {
  const { text, blocks } = write({ summary: '<!channel> & <https://evil.example|here>', detail: '```<!here>' });
  expect(text).toBe("&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;\n```'''&lt;!here&gt;```");
  expect(blocks[1]?.text.text).toBe("```'''&lt;!here&gt;```");
});

it('the message is never longer than Slack and Discord accept, and contains no broken escape', () => {
  const long = fc.string({
    unit: fc.constantFrom('<', '&', 'a', '😀', '`', '@', '\n'),
    minLength: 0,
    maxLength: 5_000,
  });
  fc.assert(
    fc.property(long, long, (summary, detail) => {
      const { text: whole, blocks } = write({ summary, detail });
      expect(whole.length).toBeLessThanOrEqual(2_000);
      for (const { text } of blocks) {
        expect(text.text.length).toBeLessThanOrEqual(3_000);
        expect(text.text.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/);
        expect(text.text.isWellFormed()).toBe(true);
      }
    }),
  );
});
