import { expect, it } from '@jest/globals';
import { Html, html } from './html.js';

it('what is put in is escaped, in content and in attributes', () => {
  const evil = `"><script>alert('1')</script>&`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    `<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>`,
  );
});

it('what is HTML already stands as it is, also several of it', () => {
  expect(html`${html`<b>${'<'}</b>`}${[new Html('<i>'), new Html('</i>')]}${null}${7}`.text).toBe(
    '<b>&lt;</b><i></i>7',
  );
});
