/** The texts that are set; an empty one becomes null and clears the column. */
export function toNullable<F extends { [K in keyof F]: string | undefined }>(
  texts: F,
): { [K in keyof F]?: string | null } {
  const entries = Object.entries<string | undefined>(texts).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value || null]],
  );
  return Object.fromEntries(entries) as { [K in keyof F]?: string | null };
}
