/** Line icons. */
import { Icon } from '../../shared/ui/Icon';

export { CrossIcon } from '../../shared/ui/CrossIcon';

const HEART =
  'M12 20.5 4.3 12.9a4.9 4.9 0 0 1 0-7 4.9 4.9 0 0 1 7 0l.7.8.7-.8a4.9 4.9 0 0 1 7 0 4.9 4.9 0 0 1 0 7z';

export const HeartIcon = () => (
  <Icon>
    <path d={HEART} />
  </Icon>
);
export const HeartFilledIcon = () => (
  <Icon filled>
    <path d={HEART} />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path d="M4 7h16M4 12h16M4 17h16" />
  </Icon>
);
export const ChevronDownIcon = () => (
  <Icon>
    <path d="m6 9 6 6 6-6" />
  </Icon>
);
export const NextIcon = () => (
  <Icon>
    <path d="m10 6 6 6-6 6" />
  </Icon>
);
export const PlayIcon = () => (
  <Icon filled>
    <path d="M8 5.5v13l11-6.5z" />
  </Icon>
);
export const HomeIcon = () => (
  <Icon>
    <path d="M4 11l8-7 8 7v9h-6v-6h-4v6H4z" />
  </Icon>
);

export const PersonIcon = () => (
  <Icon>
    <path d="M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6" />
  </Icon>
);

export const PauseIcon = () => (
  <Icon filled>
    <path d="M7 5h3.5v14H7zM13.5 5H17v14h-3.5z" />
  </Icon>
);
export const GearIcon = () => (
  <Icon>
    <path d="M12 5.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM12 5.5V3M12 21v-2.5M5.5 12H3M21 12h-2.5M7.4 7.4 5.6 5.6M18.4 18.4l-1.8-1.8M7.4 16.6l-1.8 1.8M18.4 5.6l-1.8 1.8" />
  </Icon>
);
export const SoundIcon = () => (
  <Icon>
    <path d="M4 9.5v5h3.5L12 18V6L7.5 9.5zM15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" />
  </Icon>
);
export const CaptionsIcon = () => (
  <Icon>
    <path d="M4 6h16v12H4zM10.5 10.7a2 2 0 1 0 0 2.6M16.5 10.7a2 2 0 1 0 0 2.6" />
  </Icon>
);
export const LockIcon = () => (
  <Icon>
    <path d="M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3" />
  </Icon>
);
export const PlusIcon = () => (
  <Icon>
    <path d="M12 5v14M5 12h14" />
  </Icon>
);
export const CheckIcon = () => (
  <Icon>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Icon>
);
export const SwipeIcon = () => (
  <Icon>
    <path d="M8.5 4.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1zM4 9l-3 3 3 3M20 9l3 3-3 3" />
  </Icon>
);
export const SaveIcon = () => (
  <Icon>
    <path d="M12 4v11m-4-4 4 4 4-4M5 19.5h14" />
  </Icon>
);
export const SearchIcon = () => (
  <Icon>
    <path d="M10.5 4a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zM15.5 15.5 20 20" />
  </Icon>
);
export const ShareIcon = () => (
  <Icon>
    <path d="M12 14V3.5m-4 4 4-4 4 4M7 11H5v9.5h14V11h-2" />
  </Icon>
);
export const BrokenIcon = () => (
  <Icon>
    <path d="M4 9a12 12 0 0 1 16 0M7.5 12.5a7 7 0 0 1 9 0M12 17.5v.1M4 20 20 4" />
  </Icon>
);
export const EmptyIcon = () => (
  <Icon>
    <path d="M5 6h14v12H5zM5 14h4l1 2h4l1-2h4" />
  </Icon>
);
export const SmallWindowIcon = () => (
  <Icon>
    <path d="M4 5h16v14H4zM12 12h5v4h-5z" />
  </Icon>
);
