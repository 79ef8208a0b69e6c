import struct,sys,array,random
def arr(t,vals,shape): 
    code={'f':b' f32','i':b' i32','q':b' i64'}[t]
    return b'b\x02'+bytes([len(shape)])+code+b''.join(struct.pack('<q',d) for d in shape)+array.array(t,vals).tobytes()
def sc(t,v): return b'b\x02\x00'+{'q':b' i64'}[t]+struct.pack('<q',v)
n=100_000_00
open('/tmp/mc/t/f32','wb').write(arr('f',[1.0]*(10*n),[10*n]))
open('/tmp/mc/t/mm','wb').write(arr('f',[1.0]*(640*640),[640,640])+arr('f',[0.5]*(640*640),[640,640]))
r=[random.randrange(1000) for _ in range(1000)]
m=5*n
open('/tmp/mc/t/hist','wb').write(sc('q',1000)+arr('q',(r*(m//1000)),[m])+arr('i',[1]*m,[m]))
open('/tmp/mc/t/i32','wb').write(arr('i',[1]*(10*n),[10*n]))
