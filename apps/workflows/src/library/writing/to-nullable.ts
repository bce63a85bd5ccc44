/** The texts that were given; an empty one takes away what was there. */
export function toNullable<F extends { [K in keyof F]: string | undefined }>(
  facts: F,
): { [K in keyof F]?: string | null } {
  const given = Object.entries<string | undefined>(facts).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value || null]],
  );
  return Object.fromEntries(given) as { [K in keyof F]?: string | null };
}
