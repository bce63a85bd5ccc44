export interface VisitedPage {
  status: number;
  text: string;
  headers: Headers;
  /** The fields and values that a browser would send with the form unchanged. */
  fields: Record<string, string>;
}

/** Opens a page as a browser does. */
export const openPage = async (url: string): Promise<VisitedPage> => readPage(await fetch(url));

/** Submits a form as a browser behind a proxy does. */
export async function submitForm(url: string, fields: Record<string, string>): Promise<VisitedPage> {
  const headers = { 'x-forwarded-for': '203.0.113.5', 'user-agent': 'Browser' };
  return readPage(await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers }));
}

/** The error that the page shows. */
export const alertOf = ({ text }: VisitedPage): string | undefined => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];

async function readPage(response: Response): Promise<VisitedPage> {
  const text = await response.text();
  const inputs = [...text.matchAll(/<input\s[^>]*name="([^"]*)"[^>]*>/g)];
  const unescape = (value: string) => value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  const fields = inputs.map(([tag, name = '']) => [name, unescape(/\svalue="([^"]*)"/.exec(tag)?.[1] ?? '')]);
  return {
    status: response.status,
    text,
    headers: response.headers,
    fields: Object.fromEntries(fields) as Record<string, string>,
  };
}
