# gpu_device_split.profile - three unequal devices, so slow by their own word that a call of some hundred rows is worth sharing
capability = 7.5
[device 0]
multiprocessors = 1
[device 1]
multiprocessors = 2
[device 2]
multiprocessors = 3
