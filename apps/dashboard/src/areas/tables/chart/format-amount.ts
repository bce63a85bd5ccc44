const AMOUNT = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** A count, sum or average: `1,234.57`. */
export const formatAmount = (amount: number): string => AMOUNT.format(amount);
