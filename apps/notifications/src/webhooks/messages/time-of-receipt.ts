/** The time of an event that was told before events of its kind said theirs. */
export const heardNow = (): string => new Date().toISOString();
