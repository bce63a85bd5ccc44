/** The time of an event whose payload has none, because it was published by an earlier release. */
export const timeOfReceipt = (): string => new Date().toISOString();
