/** Handles cookies like a browser: stores them per origin and sends each to the paths that it is for. */
export class CookieJar {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  /** Fetches without following a redirect. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(url);
    const matching = [...this.cookies].filter(
      ([key, { path }]) => key.startsWith(`${origin} `) && pathname.startsWith(path),
    );
    const cookie = matching.map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) this.store(origin, line);
    return response;
  }

  private store(origin: string, line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/';
    const isExpired = value === '' || /max-age=0\b/i.test(line);
    if (isExpired) this.cookies.delete(`${origin} ${name}`);
    else this.cookies.set(`${origin} ${name}`, { value, path });
  }
}
