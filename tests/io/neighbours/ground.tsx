<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.11.0" name="ground" tilewidth="16" tileheight="16" tilecount="2" columns="2">
 <image source="ground.png" width="32" height="16"/>
 <tile id="1">
  <properties>
   <property name="blocked" type="bool" value="true"/>
   <property name="sound" value="splash"/>
  </properties>
 </tile>
</tileset>
