/** Maps the fields by which lists are ordered to model fields, where the names differ. */
export const DATE_COLUMNS = { created_date: 'createdAt', modified_date: 'modifiedAt' };
