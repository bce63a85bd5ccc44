import { expect, it } from '@jest/globals';
import { attachmentHeader } from './attachment-header.js';

it.each([
  ['plain.yaml', `attachment; filename="plain.yaml"; filename*=UTF-8''plain.yaml`],
  ['Größe 1.yaml', `attachment; filename="Gro_e 1.yaml"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.yaml`],
  ['流 💡.json', `attachment; filename="_ _.json"; filename*=UTF-8''%E6%B5%81%20%F0%9F%92%A1.json`],
  [`a"b\\c\r\nd'(e)*`, `attachment; filename="a_b_c__d'(e)*"; filename*=UTF-8''a%22b%5Cc%0D%0Ad%27%28e%29%2A`],
])('the attachment name %s cannot break out of the header', (name, header) => {
  expect(attachmentHeader(name)).toBe(header);
});
