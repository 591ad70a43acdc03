import { Icon } from '../../shared/ui/Icon';

/** In a module of its own, for pages that use no other icon. */
export const BackIcon = () => (
  <Icon>
    <path d="m14 6-6 6 6 6" />
  </Icon>
);
