// Stands in for the part of react-query that pages endlessly: no list here does.
export const infiniteQueryBehavior = () => undefined;
