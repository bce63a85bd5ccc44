import type { HtmlTagDescriptor, Plugin } from 'vite';

/** The font of nearly all text; the files for other scripts than Latin load when a page has them. */
const FONT = /\/inter-latin-wght-normal[^/]*\.woff2$/;

/** Lets the browser load the font with the scripts, and not after the first text is drawn. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }): HtmlTagDescriptor[] => {
        const font = Object.keys(bundle).find((file) => FONT.test(`/${file}`));
        if (font === undefined) throw new Error('The build has no file of the font that it should preload.');
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', crossorigin: '', href: `/${font}` };
        return [{ tag: 'link', attrs, injectTo: 'head' }];
      },
    },
  };
}
