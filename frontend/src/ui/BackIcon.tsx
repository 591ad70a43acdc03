import { Icon } from './Icon';

/** Apart from the others, for pages that show nothing else of them. */
export const BackIcon = () => (
  <Icon>
    <path d="m14 6-6 6 6 6" />
  </Icon>
);
