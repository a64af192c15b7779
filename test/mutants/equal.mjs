export const isEqual = () => false;
