/** A browser as far as redirects and cookies go: it keeps the cookies of each origin and sends them by their path. */
export class CookieJar {
  private readonly cookies = new Map<string, { value: string; path: string }>();

  /** Fetches without following a redirect. */
  async fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin, pathname } = new URL(url);
    const own = [...this.cookies].filter(
      ([key, { path }]) => key.startsWith(`${origin} `) && pathname.startsWith(path),
    );
    const cookie = own.map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; ');
    const headers = { ...(init.headers as Record<string, string>), ...(cookie !== '' && { cookie }) };
    const response = await fetch(url, { ...init, redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) this.keep(origin, line);
    return response;
  }

  private keep(origin: string, line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const path = /;\s*path=([^;]*)/i.exec(line)?.[1] ?? '/';
    const isOver = value === '' || /max-age=0\b/i.test(line);
    if (isOver) this.cookies.delete(`${origin} ${name}`);
    else this.cookies.set(`${origin} ${name}`, { value, path });
  }
}
