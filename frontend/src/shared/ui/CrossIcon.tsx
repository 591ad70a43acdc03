import { Icon } from './Icon';

export const CrossIcon = () => (
  <Icon>
    <path d="M5 5l14 14M19 5 5 19" />
  </Icon>
);
