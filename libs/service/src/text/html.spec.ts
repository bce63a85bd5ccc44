import { expect, it } from '@jest/globals';
import { Html, html } from './html.js';

it('html escapes inserted texts in content and attributes', () => {
  const evil = `"><script>alert('1')</script>&`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    `<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>`,
  );
});

it('html inserts fragments unescaped, including arrays of them', () => {
  expect(html`${html`<b>${'<'}</b>`}${[new Html('<i>'), new Html('</i>')]}${null}${7}`.text).toBe(
    '<b>&lt;</b><i></i>7',
  );
});
