export interface Seen {
  status: number;
  text: string;
  headers: Headers;
  /** What a browser would send with a form, before anything is typed. */
  fields: Record<string, string>;
}

/** As a browser does that goes to an address. */
export const openPage = async (url: string): Promise<Seen> => see(await fetch(url));

/** As a browser does that sends a form, through a proxy. */
export async function submitForm(url: string, fields: Record<string, string>): Promise<Seen> {
  const headers = { 'x-forwarded-for': '203.0.113.5', 'user-agent': 'Browser' };
  return see(await fetch(url, { method: 'POST', body: new URLSearchParams(fields), headers }));
}

/** What went wrong, as the page says it. */
export const alertOf = ({ text }: Seen): string | undefined => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];

async function see(response: Response): Promise<Seen> {
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
