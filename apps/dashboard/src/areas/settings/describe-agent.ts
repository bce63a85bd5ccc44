const BROWSERS = [
  { name: 'Edge', pattern: /Edg\/(\d+)/ },
  { name: 'Firefox', pattern: /Firefox\/(\d+)/ },
  { name: 'Chrome', pattern: /Chrome\/(\d+)/ },
  { name: 'Safari', pattern: /Version\/(\d+).*Safari/ },
] as const;

const SYSTEMS = [
  { name: 'Android', pattern: /Android/ },
  { name: 'iOS', pattern: /iPhone|iPad/ },
  { name: 'Windows', pattern: /Windows/ },
  { name: 'macOS', pattern: /Mac OS X/ },
  { name: 'Linux', pattern: /Linux/ },
] as const;

/** Browser and system of a `User-Agent`, such as "Firefox 140 on Linux"; its first 60 characters for anything else. */
export function describeAgent(agent = 'Unknown client'): string {
  const browser = BROWSERS.find(({ pattern }) => pattern.test(agent));
  const system = SYSTEMS.find(({ pattern }) => pattern.test(agent));
  if (!browser) return agent.slice(0, 60);
  const version = browser.pattern.exec(agent)?.[1] ?? '';
  return `${browser.name} ${version}${system ? ` on ${system.name}` : ''}`;
}
