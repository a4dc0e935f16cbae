#include "CThreadHead.h"

_Thread_local void *_Nullable thread_head;
