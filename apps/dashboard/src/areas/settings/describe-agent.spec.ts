import { expect, it } from '@jest/globals';
import { describeAgent } from './describe-agent.js';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox 140 on Linux'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36',
    'Chrome 150 on Linux',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0.1',
    'Edge 150 on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari 19 on iOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  [undefined, 'Unknown client'],
])('describes the agent %s as "%s"', (agent, expected) => {
  expect(describeAgent(agent)).toBe(expected);
});
