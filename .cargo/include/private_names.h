/* Read before every C source of our dependencies. Two that end up in one program, libpq and QuickJS, each have a function of this
   name that is meant for themselves alone: libpq's (it is built as a FRONTEND) goes by another. */
#ifdef FRONTEND
#define unicode_normalize pq_unicode_normalize
#endif
