/** The first free name of a kind: `sort-1`, `sort-2`, … It becomes a folder name, so it has no slash. */
export function freshName(kind: string, isTaken: (name: string) => boolean): string {
  const base =
    kind
      .replace(/[/\u0000-\u001f\u007f]/g, '-')
      .replace(/-\d+$/, '')
      .slice(0, 60) || 'node';
  for (let number = 1; ; number++) {
    const name = `${base}-${number}`;
    if (!isTaken(name)) return name;
  }
}
